/** The block in the editor: the button, whose text is written in place. */
;(function (wp, words) {
  wp.blocks.registerBlockType('sohbet/chat', {
    edit: function (props) {
      return wp.element.createElement(
        'div',
        wp.blockEditor.useBlockProps(),
        wp.element.createElement(wp.blockEditor.RichText, {
          tagName: 'span',
          className: 'wp-block-button__link wp-element-button',
          allowedFormats: [],
          value: props.attributes.text || words.text,
          placeholder: words.placeholder,
          onChange: function (text) {
            props.setAttributes({ text: text })
          },
        }),
      )
    },
    // PHP renders it.
    save: function () {
      return null
    },
  })
})(window.wp, window.sohbetBlock)
