export const words = {
  where: 'Where your website runs',
  platforms: {
    html: 'HTML',
    wordpress: 'WordPress',
    shopify: 'Shopify',
    react: 'React, Next.js',
    gtm: 'Tag Manager',
  },
  places: {
    html: 'Paste it before </body> on every page that should have the chat.',
    wordpress:
      'Install the Sohbet plugin (ask whoever runs Sohbet for it), or paste this into functions.php of your theme.',
    shopify: 'Online Store › Themes › Edit code › theme.liquid, before </body>.',
    react: 'Run it once, in a component near the root.',
    gtm: 'Add a tag of the type Custom HTML, fired on all pages.',
  },
  logo: {
    hint: 'A square PNG, JPEG or WebP picture, or its web address.',
    upload: 'Upload',
    uploaded: 'The uploaded logo',
    remove: 'Remove the logo',
    unreadable: 'This file is not a picture that can be read. Choose a PNG, JPEG or WebP file.',
  },
  side: 'Chat button',
  sides: { right: 'Bottom right', left: 'Bottom left' },
  sendToDeveloper: 'Send to my developer',
  mailSubject: 'The chat for our website',
  mailText: (tag: string) =>
    `Hello,\n\nplease put this on every page of our website:\n\n${tag}\n\nThank you!`,
  waitingForPage: 'Waiting for the first page with the tag. Open your website once it is there.',
  seenOn: (origin: string, ago: string) => `Seen on ${origin}, ${ago}.`,
}
export type EmbedWords = typeof words
