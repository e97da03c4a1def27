module.exports = {
  globalSetup: './chain.setup.ts',
  // Tests in TypeScript; jest compiles them to CommonJS.
  transform: {
    '\\.ts$': [
      'babel-jest',
      { presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'] },
    ],
  },
}
