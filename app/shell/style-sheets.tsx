import { createContext, useContext } from "react";
import { useNonce } from "./entry-script";
import type { PageStyles } from "./page-styles.server";

const Styles = createContext<PageStyles>({});

export const PageStylesProvider = Styles.Provider;

/**
 * The styles of a page: inlined, or the shared sheet. Remix's own `Links` computes prefetches, which no page of ours
 * uses.
 */
export function StyleSheets({
  forAll = false,
}: {
  /** The page is the same for all viewers, so it has no nonce. */ forAll?: boolean;
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
