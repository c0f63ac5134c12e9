import { isRouteErrorResponse } from "@remix-run/react";
import { type ProblemDetails, problemTitles } from "#contracts/kit/problem.ts";
import { whatIsAway } from "~/backend/parts";
import { mistypedAddress } from "~/backend/responses";
import { href } from "~/href";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";

export interface ErrorViewProps {
  error: unknown;
  requestId: string | undefined;
  signedIn: boolean;
}

interface Explanation {
  title: string;
  sentence: string;
  /** An error of ours: show the id that finds it in the log. */
  ours: boolean;
}

/** The problem and its remedy, for every error that prevents a page. */
export function ErrorView({ error, requestId, signedIn }: ErrorViewProps) {
  const { title, sentence, ours } = explain(error);
  return (
    <Page>
      <h1>{title}</h1>
      <p>{sentence}</p>
      {ours && requestId && (
        <p>
          If it happens again, give your administrator this request id: <code>{requestId}</code>
        </p>
      )}
      <Row>
        <LinkButton href={signedIn ? href("/dashboard") : href("/")} variant="primary">
          {signedIn ? "Go to the dashboard" : "Go to the start page"}
        </LinkButton>
        {signedIn && <LinkButton href={href("/api-management/list")}>See your APIs</LinkButton>}
      </Row>
    </Page>
  );
}

/** The details are in the log only. */
const ourError: Explanation = {
  title: "Something went wrong on our side",
  sentence: "Something went wrong. Your saved data is safe; reload the page to try again.",
  ours: true,
};

function explain(error: unknown): Explanation {
  if (!isRouteErrorResponse(error)) return ourError;
  const problem = error.data as Partial<ProblemDetails> | null;
  const detail = problem?.detail;
  switch (error.status) {
    case 403:
      return {
        title: "You don't have permission to access this resource",
        sentence: "Your role does not include this. An administrator of your organization can change that.",
        ours: false,
      };
    case 404:
      return {
        title: "Page not found",
        sentence: detail ?? mistypedAddress,
        ours: false,
      };
    case 503:
      return {
        title: whatIsAway([problem?.service]),
        sentence: detail ?? "Nothing was changed. Try again shortly.",
        ours: true,
      };
    case 507:
      return {
        title: problemTitles.insufficient_storage,
        sentence: detail ?? "Nothing was changed.",
        ours: false,
      };
    default:
      if (error.status >= 500) return ourError;
      return {
        title: error.statusText || "This didn't work",
        sentence: detail ?? "Reload the page to try again.",
        ours: false,
      };
  }
}
