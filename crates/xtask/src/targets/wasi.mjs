// Runs one WASI module: node wasi.mjs <folder it may use> <module.wasm> [arguments…]
//
// The folder is opened under its real path and as the working directory, because the tests find their fixtures by
// the absolute paths they were compiled with.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [folder, module, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: 'preview1',
  args: [module, ...args],
  env: process.env,
  preopens: { [folder]: folder, '.': process.cwd() },
  returnOnExit: true,
});
const compiled = await WebAssembly.compile(await readFile(module));
const instance = await WebAssembly.instantiate(compiled, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
