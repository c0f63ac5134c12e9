/** An address up to a space or a bracket, without the full stop or comma that ends its sentence. */
const address = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

/** Plain text with links for its web addresses. */
export function LinkedText({ children }: { children: string }) {
  return (
    <>
      {children.split(address).map((part, index) => {
        const location = `${index} ${part}`;
        return index % 2 === 1 ? (
          <a key={location} href={part} rel="noreferrer">
            {part}
          </a>
        ) : (
          part
        );
      })}
    </>
  );
}
