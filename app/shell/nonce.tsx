import { createContext, type ReactNode, useContext } from "react";

const NonceContext = createContext("");

export function NonceProvider({ nonce, children }: { nonce: string; children: ReactNode }) {
  return <NonceContext.Provider value={nonce}>{children}</NonceContext.Provider>;
}

/** The Content-Security-Policy's nonce of this response, for the few script tags we write ourselves. */
export function useNonce(): string {
  return useContext(NonceContext);
}
