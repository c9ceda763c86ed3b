// Holds an OpenAPI document against the recommended rules of Redocly, a line for each problem.
// usage: node lint.js FOLDER-OF-NODE-MODULES DOCUMENT
const { createRequire } = require('node:module');
const path = require('node:path');

const [modules, document] = process.argv.slice(2);
const { createConfig, lint } = createRequire(path.join(modules, 'index.js'))('@redocly/openapi-core');

async function main() {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: document, config });
  for (const { ruleId, severity, message, location } of problems) {
    console.log(`${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}`);
  }
  process.exitCode = problems.length > 0 ? 1 : 0;
}

main();
