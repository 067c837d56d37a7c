/** The version of the service description (spec: Versioning). */
export const SERVICE_VERSION = '0.3.0';
