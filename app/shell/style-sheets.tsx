import { createContext, useContext } from "react";
import { useNonce } from "./entry-script";
import type { PageStyles } from "./page-styles.server";

const Styles = createContext<PageStyles>({});

export const PageStylesProvider = Styles.Provider;

/**
 * The styles of a page: within it, or as the sheet of all pages. Remix' own `Links` works out anew what a browser would
 * fetch ahead, which no page of ours asks.
 */
export function StyleSheets({
  forAll = false,
}: {
  /** Everybody gets the same page, without a nonce. */ forAll?: boolean;
}) {
  const { rules, sheet } = useContext(Styles);
  const nonce = useNonce();
  if (rules === undefined) return <link rel="stylesheet" href={sheet} />;
  return (
    <>
      <style nonce={forAll ? undefined : nonce} dangerouslySetInnerHTML={{ __html: rules }} />
      {sheet && <link rel="prefetch" as="style" href={sheet} />}
    </>
  );
}
