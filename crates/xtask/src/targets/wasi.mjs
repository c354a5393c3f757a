// Runs one WASI module: node wasi.mjs <folder it may use> <module.wasm> [arguments…]
//
// The folder is opened under its real path and as the working directory, because the tests find their fixtures by
// the absolute paths they were compiled with.
//
// The imports are called without V8's short cut into C++: allocations there count as memory outside of its heap, which may
// make it collect garbage where it cannot walk the stack, and crash (seen with node 20.20 and 22.23).
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { WASI } from 'node:wasi';

setFlagsFromString('--no-turbo-fast-api-calls');

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
