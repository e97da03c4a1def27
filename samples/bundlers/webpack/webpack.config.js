import { fileURLToPath } from 'node:url'

export default {
  mode: 'production',
  entry: './src/main.ts',
  output: { path: fileURLToPath(new URL('dist', import.meta.url)), filename: 'main.js', module: true },
  experiments: { outputModule: true },
  module: { rules: [{ test: /\.ts$/, loader: 'ts-loader', options: { transpileOnly: true } }] },
}
