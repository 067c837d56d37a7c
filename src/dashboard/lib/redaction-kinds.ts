import type { RedactionKind } from '../../sdk/wire.ts';

/** The kinds of redaction by name. */
export const REDACTIONS: Readonly<Record<RedactionKind, string>> = {
  card: 'card numbers',
  iban: 'IBANs',
  ssn: 'social security numbers',
  email: 'email addresses',
  phone: 'phone numbers',
  dob: 'dates of birth',
  password: 'passwords',
  account: 'account numbers',
  postcode: 'postcodes',
  address: 'addresses',
  name: 'names',
  digits: 'all long numbers',
};

/** All kinds, in the order in which forms show them. */
export const KINDS = Object.keys(REDACTIONS) as readonly RedactionKind[];

/** The kinds that are found most reliably. */
export const RELIABLE: readonly RedactionKind[] = KINDS.filter(
  (kind) => kind !== 'address' && kind !== 'name' && kind !== 'digits',
);
