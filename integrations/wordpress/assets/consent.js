/** Adds the widget's tag once its visitor has agreed (WP Consent API), and takes it away after a refusal. */
;(function () {
  var tag = window.sohbetTag
  var script

  function hasConsent() {
    // Without the plugin that asks, nobody can have agreed.
    return typeof window.wp_has_consent === 'function' && window.wp_has_consent(tag.consent)
  }

  function update() {
    if (hasConsent() === (script !== undefined)) return
    if (script !== undefined) {
      script.remove()
      script = undefined
      window.Sohbet.push(['destroy'])
      return
    }
    script = document.createElement('script')
    script.src = tag.src
    script.async = true
    Object.keys(tag.attributes).forEach(function (name) {
      script.setAttribute(name, tag.attributes[name])
    })
    document.body.append(script)
  }

  window.Sohbet = window.Sohbet || []
  document.addEventListener('wp_listen_for_consent_change', update)
  document.addEventListener('wp_consent_type_defined', update)
  // Its script may come later in the page.
  document.addEventListener('DOMContentLoaded', update)
  update()
})()
