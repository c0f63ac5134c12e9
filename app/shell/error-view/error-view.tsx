import { isRouteErrorResponse } from "@remix-run/react";
import { type ProblemDetails, problemTitles } from "#contracts/kit/problem.ts";
import { whatIsAway } from "~/backend/parts";
import { mistypedAddress } from "~/backend/responses";
import { href } from "~/href";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Illustration, type IllustrationName } from "~/ui/illustration/illustration";
import * as styles from "./error-view.css";

export interface ErrorViewProps {
  error: unknown;
  requestId: string | undefined;
  signedIn: boolean;
  /** The API of the page, where that was found. */
  api?: { id: string; name: string };
}

interface Explanation {
  title: string;
  sentence: string;
  illustration: IllustrationName;
  /** An error of ours: show the id that finds it in the log. */
  ours: boolean;
}

/** The problem and its remedy, for every error that prevents a page. */
export function ErrorView({ error, requestId, signedIn, api }: ErrorViewProps) {
  const { title, sentence, illustration, ours } = explain(error);
  return (
    <Page>
      <div className={styles.view}>
        <Illustration name={illustration} />
        <h1>{title}</h1>
        <p className={styles.sentence}>{sentence}</p>
        {ours && requestId && (
          <p>
            If it happens again, give your administrator this request id: <code>{requestId}</code>
          </p>
        )}
        <div className={styles.actions}>
          {api && (
            <LinkButton href={href("/api-management/:apiId/details", { apiId: api.id })} variant="primary">
              Back to {api.name}
            </LinkButton>
          )}
          <LinkButton href={signedIn ? href("/dashboard") : href("/")} variant={api ? "secondary" : "primary"}>
            {signedIn ? "Go to the dashboard" : "Go to the start page"}
          </LinkButton>
          {signedIn ? (
            <LinkButton href={href("/api-management/list")}>See your APIs</LinkButton>
          ) : (
            <LinkButton href={href("/docs")}>Read the documentation</LinkButton>
          )}
        </div>
      </div>
    </Page>
  );
}

/** The details are in the log only. */
const ourError: Explanation = {
  title: "Something went wrong on our side",
  sentence: "Your saved data is safe. Reload the page to try again.",
  illustration: "broken",
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
        illustration: "refused",
        ours: false,
      };
    case 404:
      return {
        title: "Page not found",
        sentence: detail ?? mistypedAddress,
        illustration: "lost",
        ours: false,
      };
    case 503:
      return {
        title: whatIsAway([problem?.service]),
        sentence: detail ?? "Nothing was changed. Try again shortly.",
        illustration: "broken",
        ours: true,
      };
    case 507:
      return {
        title: problemTitles.insufficient_storage,
        sentence: detail ?? "Nothing was changed.",
        illustration: "broken",
        ours: false,
      };
    default:
      if (error.status >= 500) return ourError;
      return {
        title: error.statusText || "This didn't work",
        sentence: detail ?? "Reload the page to try again.",
        illustration: "broken",
        ours: false,
      };
  }
}
