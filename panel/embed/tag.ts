export const PLATFORMS = ['html', 'wordpress', 'shopify', 'react', 'gtm'] as const
export type Platform = (typeof PLATFORMS)[number]

/** The corner of the window with the button of the chat. */
export type Side = 'right' | 'left'

/** Returns what an owner pastes on a platform, as `docs/embed.md` explains. */
export function snippetOf(platform: Platform, tenantId: string, side: Side): string {
  const { origin } = location
  // Right is the widget's default.
  const isLeft = side === 'left'
  const attribute = isLeft ? ' data-position="left"' : ''
  switch (platform) {
    case 'html':
    case 'shopify':
      return `<script src="${origin}/widget.js" data-tenant="${tenantId}"${attribute} async></script>
<noscript><a href="${origin}/chat/${tenantId}">Chat</a></noscript>`
    case 'wordpress':
      return `add_action('wp_enqueue_scripts', function () {
    wp_enqueue_script('sohbet', '${origin}/widget.js', [], null, true);
});
add_filter('script_loader_tag', function ($tag, $handle) {
    return $handle === 'sohbet' ? str_replace(' src=', ' async data-tenant="${tenantId}"${attribute} src=', $tag) : $tag;
}, 10, 2);`
    case 'react':
      return `useEffect(() => {
  const tag = document.createElement('script')
  tag.src = '${origin}/widget.js'
  tag.async = true
  tag.dataset.tenant = '${tenantId}'${isLeft ? "\n  tag.dataset.position = 'left'" : ''}
  document.head.append(tag)
  return () => {
    tag.remove()
    window.Sohbet ??= []
    window.Sohbet.push(['destroy'])
  }
}, [])`
    case 'gtm':
      return `<script>
  var tag = document.createElement('script')
  tag.src = '${origin}/widget.js'
  tag.async = true
  tag.setAttribute('data-tenant', '${tenantId}')${isLeft ? "\n  tag.setAttribute('data-position', 'left')" : ''}
  document.head.appendChild(tag)
</script>`
  }
}
