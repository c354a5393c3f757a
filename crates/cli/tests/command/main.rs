//! The command as a user has it: what it prints, and how it ends.

mod damage;
mod differences;
mod files;
mod help;
mod logs;
mod outputs;
mod run;
mod scenes;
