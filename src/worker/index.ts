export default { fetch: (): Response => new Response('ok') };
