import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Stack } from "~/ui/layout/layout";
import {
  type Runnable,
  secretName,
  toActionCommand,
  toGitHubWorkflow,
  toGitLabPipeline,
  toSecretCommands,
} from "./lines";

export interface PipelineCardsProps {
  origin: string;
  runnable: Runnable;
  /** The one that was just created; a placeholder is displayed without it. */
  token: string | undefined;
}

/** What goes into a repository for its pipeline to run tests. */
export function PipelineCards({ origin, runnable, token }: PipelineCardsProps) {
  const secrets = toSecretCommands(token ?? "TOKEN");
  return (
    <>
      <Card
        title="GitHub Actions"
        description="A failed test fails the job, with a summary and a comment in the pull request."
      >
        <Stack>
          <p>
            Store the token as the secret <code>{secretName}</code>: under Settings, Secrets and variables, Actions, or
            by:
          </p>
          <CodeBlock id="github-secret" label="Store the token" code={secrets.gitHub} wrap copy />
          <p>Add two files to the repository:</p>
          <CodeBlock id="github-action" label="The action" code={toActionCommand(origin)} wrap copy />
          <CodeBlock
            id="github-workflow"
            label=".github/workflows/assurance.yml"
            code={toGitHubWorkflow(origin, runnable)}
            copy
          />
        </Stack>
      </Card>
      <Card
        title="GitLab CI/CD"
        description="A failed test fails the job. Merge requests list failures next to your own tests."
      >
        <Stack>
          <p>
            Store the token as the masked variable <code>{secretName}</code>: under Settings, CI/CD, Variables, or by:
          </p>
          <CodeBlock id="gitlab-secret" label="Store the token as a variable" code={secrets.gitLab} wrap copy />
          <p>Add these lines:</p>
          <CodeBlock id="gitlab-pipeline" label=".gitlab-ci.yml" code={toGitLabPipeline(origin, runnable)} copy />
        </Stack>
      </Card>
    </>
  );
}
