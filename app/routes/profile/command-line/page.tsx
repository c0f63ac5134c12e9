import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { newApiToken } from "#contracts/security-service/api-tokens.ts";
import { isOfThisMachine } from "~/features/command-line/this-machine";
import { productVersion } from "~/features/command-line/version.server";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Column, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { findRunnable } from "./find-runnable.server";
import { type Runnable, toCommands } from "./lines";
import { PipelineCards } from "./pipeline-cards";
import { TokenCard } from "./token-card";
import { TokenForm } from "./token-form";

export const meta: MetaFunction = () => [{ title: "Command line · API Assurance" }];

/** What a pipeline needs: to find circles and APIs by name, to run, and to read what came of it. */
const pipelineScopes = ["apis:read", "tests:read", "tests:run"] as const satisfies Scope[];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = new URL(request.url).searchParams.get("apiId") || undefined;
  return {
    origin: context.publicOrigin,
    version: productVersion,
    runnable: await findRunnable(viewer, apiId),
    mayRun: pipelineScopes.every((scope) => viewer.may(scope)),
  };
}

/** Creates a token for pipelines. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, newApiToken.omit({ scopes: true }));
  if (submission.status !== "success") return rejected(submission);
  const body = { ...submission.value, scopes: [...pipelineScopes] };
  const made = await backend.securityService.createApiToken({ body });
  if (!made.ok) return rejected(submission, made.problem);
  return data({ made: made.value });
}

export default function CommandLine() {
  const { origin, version, runnable: found, mayRun } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const made = result && "made" in result ? result.made : undefined;
  const runnable: Runnable = found ?? { kind: "circle", name: "Name of a circle" };
  return (
    <>
      <PageHeading
        title="Command line"
        description="Test an API from a shell, and fail a pipeline with a reason. Needs Node 20.19 or newer; nothing is installed."
      />
      <Column width="prose">
        <Stack>
          {made ? (
            <TokenCard made={made} />
          ) : (
            <ShellCard {...{ origin, version, runnable }} hasRunnable={found !== undefined} />
          )}
          {!made &&
            (mayRun ? (
              <TokenForm lastResult={result && !("made" in result) ? result : undefined} />
            ) : (
              <Notice title="Your role may not run tests">
                A token never has more permissions than its owner. An administrator can assign you a role that may run
                tests.
              </Notice>
            ))}
          {isOfThisMachine(origin) && (
            <Notice tone="warning" title="Runners on other machines can't reach this address">
              You see this portal at <code>{origin}</code>. Its operator sets the address for others with{" "}
              <code>PUBLIC_URL</code>.
            </Notice>
          )}
          <PipelineCards {...{ origin, runnable }} token={made?.token} />
          <p>
            For programs that need other permissions, use <a href={href("/profile/api-tokens")}>API tokens</a> of their
            own.
          </p>
        </Stack>
      </Column>
    </>
  );
}

interface ShellCardProps {
  origin: string;
  version: string;
  runnable: Runnable;
  hasRunnable: boolean;
}

function ShellCard({ origin, version, runnable, hasRunnable }: ShellCardProps) {
  const { check, login, run } = toCommands({ origin, version, runnable });
  return (
    <Card title="In a shell" description="Failures are explained in a sentence, with the line of the document.">
      <Stack>
        <CodeBlock id="check" label="Test a server against its document, without a portal" code={check} wrap copy />
        <CodeBlock id="login" label="Connect it to this portal once; it asks for a token" code={login} wrap copy />
        <CodeBlock
          id="run"
          label={
            hasRunnable ? `Run ${runnable.name} and wait for the verdict` : "Run a circle and wait for the verdict"
          }
          code={run}
          wrap
          copy
        />
        <p>
          The exit code is 0 if all passed, 1 if a test failed, 2 if something could not be run or judged, 3 for wrong
          usage, and 4 for missing or refused credentials.
        </p>
      </Stack>
    </Card>
  );
}
