// Runs a program for WASI under Node, in the folder that it is started in. Arguments: the program, and its own.
import { readFile } from 'node:fs/promises'
import { WASI } from 'node:wasi'

const [program] = process.argv.slice(2)
const wasi = new WASI({
  version: 'preview1',
  args: process.argv.slice(2),
  env: process.env,
  preopens: { '.': '.' },
})
const module = await WebAssembly.compile(await readFile(program))
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()))
