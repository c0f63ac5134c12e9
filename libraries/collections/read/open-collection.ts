export const isOpenCollection = (_value: unknown, _name: string): boolean => false;
