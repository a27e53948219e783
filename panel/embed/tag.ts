/** The script tag of a site. */
export function scriptTag(tenantId: string): string {
  return `<script src="${location.origin}/widget.js" data-tenant="${tenantId}" async></script>`
}

export const PLATFORMS = ['html', 'wordpress', 'shopify', 'react', 'gtm'] as const
export type Platform = (typeof PLATFORMS)[number]

/** Returns what an owner pastes on a platform, as `docs/embed.md` explains. */
export function snippetOf(platform: Platform, tenantId: string): string {
  const { origin } = location
  switch (platform) {
    case 'html':
    case 'shopify':
      return `${scriptTag(tenantId)}
<noscript><a href="${origin}/chat/${tenantId}">Chat</a></noscript>`
    case 'wordpress':
      return `add_action('wp_enqueue_scripts', function () {
    wp_enqueue_script('sohbet', '${origin}/widget.js', [], null, true);
});
add_filter('script_loader_tag', function ($tag, $handle) {
    return $handle === 'sohbet' ? str_replace(' src=', ' async data-tenant="${tenantId}" src=', $tag) : $tag;
}, 10, 2);`
    case 'react':
      return `useEffect(() => {
  const tag = document.createElement('script')
  tag.src = '${origin}/widget.js'
  tag.async = true
  tag.dataset.tenant = '${tenantId}'
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
  tag.setAttribute('data-tenant', '${tenantId}')
  document.head.appendChild(tag)
</script>`
  }
}
