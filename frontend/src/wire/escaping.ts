/** Texts in addresses. A byte of a file name that is not UTF-8 is half a surrogate pair here, and itself there. */

export function escaped(value: string): string {
  return value.isWellFormed()
    ? encodeURIComponent(value)
    : Array.from(value, char => {
        const code = char.codePointAt(0) ?? 0;
        return code >= 0xdc80 && code <= 0xdcff
          ? `%${(code - 0xdc00).toString(16).toUpperCase()}`
          : encodeURIComponent(char.toWellFormed());
      }).join("");
}

const CHARACTERS = /%[cd].%[89ab].|%e.(?:%[89ab].){2}|%f.(?:%[89ab].){3}|%[0-9a-f]{2}/gi;

export function unescaped(text: string): string {
  return text.replace(CHARACTERS, found => {
    try {
      return decodeURIComponent(found);
    } catch {
      return found.replace(/%(..)/g, (_, digits) => String.fromCharCode(0xdc00 + parseInt(digits, 16)));
    }
  });
}
