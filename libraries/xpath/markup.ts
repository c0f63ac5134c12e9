/** The text is not XML; the message is a clause such as "unclosed tag: a". */
export class UnreadableMarkup extends Error {
  override readonly name = "UnreadableMarkup";
}

/** Deeper documents would take the stack, and time that is quadratic in their depth. */
export class TooDeepMarkup extends Error {
  override readonly name = "TooDeepMarkup";
}

export const documentType = 9;
export const elementType = 1;
export const attributeType = 2;
export const textType = 3;

/**
 * A node as the XPath library reads nodes. It knows its number in document order: libraries that find it by walking take
 * time that is quadratic in the number of siblings.
 */
export class MarkupNode {
  readonly childNodes: MarkupNode[] = [];
  readonly attributes: MarkupNode[] & { item?(index: number): MarkupNode | undefined } = [];
  firstChild: MarkupNode | null = null;
  lastChild: MarkupNode | null = null;
  nextSibling: MarkupNode | null = null;
  previousSibling: MarkupNode | null = null;
  ownerElement: MarkupNode | null = null;
  documentElement: MarkupNode | null = null;
  readonly specified = true;

  constructor(
    readonly nodeType: number,
    readonly nodeName: string,
    readonly localName: string,
    readonly namespaceURI: string | null,
    readonly parentNode: MarkupNode | null,
    readonly nodeValue: string | null,
    readonly order: number,
    readonly ownerDocument: MarkupNode | null,
  ) {
    this.attributes.item = (index) => this.attributes[index];
  }

  get value(): string | null {
    return this.nodeValue;
  }

  get data(): string | null {
    return this.nodeValue;
  }

  /** As in DOM: 4 for a node that follows, 2 for one that precedes. */
  compareDocumentPosition(other: MarkupNode): number {
    if (this === other) return 0;
    return this.order < other.order ? 4 : 2;
  }

  append(child: MarkupNode): void {
    if (this.lastChild) {
      this.lastChild.nextSibling = child;
      child.previousSibling = this.lastChild;
    } else this.firstChild = child;
    this.lastChild = child;
    this.childNodes.push(child);
    if (this.nodeType === documentType && child.nodeType === elementType) this.documentElement = child;
  }

  /** Text of the node and everything in it (XPath 1.0, 5). */
  stringValue(): string {
    if (this.nodeValue !== null) return this.nodeValue;
    let text = "";
    const waiting = [...this.childNodes].reverse();
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (node.nodeType === textType) text += node.nodeValue;
      for (let index = node.childNodes.length - 1; index >= 0; index -= 1) waiting.push(node.childNodes[index]!);
    }
    return text;
  }
}

export interface MarkupDocument {
  root: MarkupNode;
  /** Declared at the root element, by prefix. */
  namespaces: Record<string, string>;
  /** Whether the root has a namespace without a prefix. */
  hasDefaultNamespace: boolean;
}

/** Reads markup. Costly: runs only in the thread with a time limit. */
export interface MarkupReader {
  /** @throws UnreadableMarkup; TooDeepMarkup */
  read(text: string, isHtml: boolean): MarkupDocument;
}

/** For threads that must not read markup: a call is a bug. */
export const noMarkup: MarkupReader = {
  read() {
    throw new Error("markup is read in the thread with a time limit");
  },
};
