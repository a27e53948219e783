/** Opens the panel in the page; where the widget is missing, the link leads to the chat's own page. */
document.addEventListener('click', function (event) {
  var link = event.target.closest('a.sohbet-chat')
  var isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
  if (!link || !isPlain || !window.Sohbet || typeof window.Sohbet.open !== 'function') return
  event.preventDefault()
  window.Sohbet.open()
})
