import { shellQuoted } from "#libraries/code-samples/shell-words.ts";

/** What a pipeline runs: a circle of tests, or all tests of an API. */
export interface Runnable {
  kind: "circle" | "api";
  name: string;
}

/** Name of the secret that holds the token. */
export const secretName = "ASSURANCE_TOKEN";

/** The commands of a shell, each with the address that npm fetches the command line from. */
export function toCommands({ origin, version, runnable }: { origin: string; version: string; runnable: Runnable }) {
  const assurance = `npx ${origin}/cli/${version}.tgz`;
  return {
    check: `${assurance} check openapi.yaml --url http://localhost:8080`,
    login: `${assurance} login ${origin}`,
    run: `${assurance} run --${runnable.kind} ${toWord(runnable.name)}`,
  };
}

/** Where a workflow expects the action, and the command that puts it there. */
export const toActionCommand = (origin: string): string =>
  `curl -fsS --create-dirs -o .github/actions/assurance/action.yml ${origin}/cli/github/action.yml`;

/** `.github/workflows/assurance.yml` */
export function toGitHubWorkflow(origin: string, { kind, name }: Runnable): string {
  return `name: API
on: [push, pull_request]
permissions:
  contents: read
  pull-requests: write
jobs:
  api:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: ./.github/actions/assurance
        with:
          portal: ${origin}
          token: \${{ secrets.${secretName} }}
          ${kind}: ${toScalar(name)}
          comment: true
`;
}

/** What goes into `.gitlab-ci.yml`. */
export function toGitLabPipeline(origin: string, { kind, name }: Runnable): string {
  return `include:
  - remote: ${origin}/cli/gitlab/assurance.yml
    inputs:
      portal: ${origin}
      ${kind}: ${toScalar(name)}
`;
}

/** Commands that store the token as a secret, for those who have GitHub's or GitLab's own command line. */
export const toSecretCommands = (token: string) => ({
  gitHub: `gh secret set ${secretName} --body ${token}`,
  gitLab: `glab variable set ${secretName} ${token} --masked`,
});

const toWord = (text: string) => (/^[\w./:-]+$/.test(text) ? text : shellQuoted(text));

/** A JSON string is a scalar of YAML, whatever is in it. */
const toScalar = (text: string) => (/^[A-Za-z][\w ]*\w$/.test(text) && !isWord(text) ? text : JSON.stringify(text));

/** What YAML takes for something else than a text. */
const isWord = (text: string) => /^(true|false|yes|no|on|off|null)$/i.test(text);
