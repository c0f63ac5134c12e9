/** An amount in the smallest unit of its currency (ISO 4217): 4900 of USD are 49.00. */
export interface Money {
  minorUnits: number;
  currency: string;
}

const formats = new Map<string, { text: Intl.NumberFormat; digits: number }>();

/**
 * Cached: creating one takes longer than a hundred uses.
 * @throws RangeError for an invalid currency code
 */
function getFormat(currency: string) {
  let format = formats.get(currency);
  if (!format) {
    const text = new Intl.NumberFormat("en", { style: "currency", currency });
    format = { text, digits: text.resolvedOptions().maximumFractionDigits ?? 2 };
    formats.set(currency, format);
  }
  return format;
}

/** Digits after the decimal point: 2 for USD, 0 for JPY, 3 for KWD. */
const getDigits = (currency: string): number => getFormat(currency).digits;

/**
 * Parses a decimal such as `49.00`.
 * @throws RangeError for an invalid amount of the currency, e.g. `1.005` USD
 */
export function parseMoney(decimal: string, currency: string): Money {
  const [, sign, whole, part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const digits = getDigits(currency);
  const rest = part.slice(digits);
  if (whole === undefined || /[1-9]/.test(rest)) throw new RangeError(`"${decimal}" is no amount in ${currency}`);
  const units = Number(`${whole}${part.slice(0, digits).padEnd(digits, "0")}`);
  if (!Number.isSafeInteger(units)) throw new RangeError(`"${decimal}" ${currency} is too much`);
  return { minorUnits: sign && units !== 0 ? -units : units, currency };
}

/** e.g. `$49.00`, for display. */
export function moneyText(money: Money): string {
  return getFormat(money.currency).text.format(Number(toDecimal(money)));
}

/** e.g. `49.00`, the notation of payment providers. */
export function toDecimal({ minorUnits, currency }: Money): string {
  const digits = getDigits(currency);
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, "0");
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minorUnits < 0 ? `-${decimal}` : decimal;
}
