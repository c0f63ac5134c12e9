import { createContext, type ReactNode, useContext } from "react";

interface Entry {
  /** Address of the built `entry.client.ts`. */
  module: string;
  /** The Content-Security-Policy's nonce of this response. */
  nonce: string;
}

const EntryContext = createContext<Entry>({ module: "", nonce: "" });

export function EntryProvider({ children, ...entry }: Entry & { children: ReactNode }) {
  return <EntryContext.Provider value={entry}>{children}</EntryContext.Provider>;
}

/** For the rare script that comes from elsewhere. */
export function useNonce(): string {
  return useContext(EntryContext).nonce;
}

/**
 * The one script of a page, which runs when the page is there: with `async` one that is cached would run before, and find
 * no island. React 18's `bootstrapModules` would leave the nonce out, and the policy would refuse it.
 */
export function EntryScript() {
  const { module, nonce } = useContext(EntryContext);
  return (
    <>
      {/* Loads the page again when its sources have changed. */}
      {import.meta.env.DEV && <script type="module" src={`${import.meta.env.BASE_URL}@vite/client`} nonce={nonce} />}
      <script type="module" src={module} nonce={nonce} />
    </>
  );
}
