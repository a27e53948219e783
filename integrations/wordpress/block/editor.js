/** The block in the editor: a place for the chat, or the button, whose text is written in place. */
;(function (wp, words) {
  var element = wp.element.createElement

  function controls(props) {
    var isPage = props.attributes.display === 'page'
    return element(
      wp.blockEditor.InspectorControls,
      null,
      element(
        wp.components.PanelBody,
        null,
        element(wp.components.SelectControl, {
          label: words.display,
          value: props.attributes.display,
          options: ['page', 'button'].map(function (value) {
            return { value: value, label: words[value] }
          }),
          onChange: function (display) {
            props.setAttributes({ display: display })
          },
        }),
        isPage &&
          element(wp.components.RangeControl, {
            label: words.height,
            value: props.attributes.height,
            min: Number(words.minHeight),
            max: Number(words.maxHeight),
            onChange: function (height) {
              props.setAttributes({ height: height })
            },
          }),
      ),
    )
  }

  function button(props) {
    return element(wp.blockEditor.RichText, {
      tagName: 'span',
      className: 'wp-block-button__link wp-element-button',
      allowedFormats: [],
      value: props.attributes.text || words.text,
      placeholder: words.placeholder,
      onChange: function (text) {
        props.setAttributes({ text: text })
      },
    })
  }

  function place() {
    return element(wp.components.Placeholder, {
      icon: 'format-chat',
      label: words.text,
      instructions: words.hint,
    })
  }

  wp.blocks.registerBlockType('sohbet/chat', {
    edit: function (props) {
      return element(
        'div',
        wp.blockEditor.useBlockProps(),
        controls(props),
        props.attributes.display === 'page' ? place() : button(props),
      )
    },
    // PHP renders it.
    save: function () {
      return null
    },
  })
})(window.wp, window.sohbetBlock)
