/** An element or attribute of an XML response. */
export interface MarkupValue {
  /** As written: `soap:Body`, or `@id`. */
  name: string;
  /** Selects it alone (XPath 1.0). */
  xPath: string;
  /** Its text, as the XPath gives it; null for an element with elements in it, or without text. */
  text: string | null;
  /** Attributes, then elements, in document order. */
  children: MarkupValue[];
  /** Further ones, which are left out. */
  omitted: number;
}
