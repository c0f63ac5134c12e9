/** An address up to a space or a bracket, without the full stop or comma that ends its sentence. */
const address = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

/** Plain text whose web addresses can be followed. */
export function LinkedText({ children }: { children: string }) {
  return (
    <>
      {children.split(address).map((part, index) => {
        const place = `${index} ${part}`;
        return index % 2 === 1 ? (
          <a key={place} href={part} rel="noreferrer">
            {part}
          </a>
        ) : (
          part
        );
      })}
    </>
  );
}
