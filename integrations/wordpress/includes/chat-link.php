<?php
/**
 * The block and the shortcode: a button that opens the chat, and leads to its page without scripts.
 *
 * @package Sohbet
 */

defined( 'ABSPATH' ) || exit;

/**
 * Registers the block `sohbet/chat` and the shortcode `[sohbet_chat]`.
 */
function sohbet_register_chat_link() {
	$folder = dirname( SOHBET_FILE ) . '/block';
	wp_register_script(
		'sohbet-block-editor',
		plugins_url( 'block/editor.js', SOHBET_FILE ),
		array( 'wp-blocks', 'wp-element', 'wp-block-editor' ),
		SOHBET_VERSION,
		true
	);
	$words = array(
		'text'        => sohbet_link_text(),
		'placeholder' => __( 'What the button says', 'sohbet' ),
	);
	wp_add_inline_script( 'sohbet-block-editor', 'window.sohbetBlock=' . wp_json_encode( $words, JSON_HEX_TAG ) . ';', 'before' );
	register_block_type( $folder, array( 'render_callback' => 'sohbet_render_block' ) );
	add_shortcode( 'sohbet_chat', 'sohbet_render_shortcode' );
}

/**
 * Renders the block.
 *
 * @param array $attributes Attributes of the block.
 * @return string
 */
function sohbet_render_block( $attributes ) {
	$text = wp_strip_all_tags( (string) ( $attributes['text'] ?? '' ) );
	$link = sohbet_chat_link( $text );
	return '' === $link ? '' : '<div ' . get_block_wrapper_attributes() . '>' . $link . '</div>';
}

/**
 * Renders the shortcode `[sohbet_chat text="…"]`.
 *
 * @param array|string $attributes Attributes of the shortcode; a text where it has none.
 * @return string
 */
function sohbet_render_shortcode( $attributes ) {
	$attributes = shortcode_atts( array( 'text' => '' ), $attributes, 'sohbet_chat' );
	return sohbet_chat_link( (string) $attributes['text'] );
}

/**
 * Returns the button, or '' while the plugin is not set up.
 *
 * @param string $text What it says; '' for the default.
 * @return string
 */
function sohbet_chat_link( $text ) {
	if ( ! sohbet_is_set_up() ) {
		return '';
	}
	wp_enqueue_script( 'sohbet-chat-link' );
	$settings = sohbet_settings();
	return sprintf(
		'<a class="sohbet-chat wp-block-button__link wp-element-button" href="%s">%s</a>',
		esc_url( $settings['address'] . '/chat/' . $settings['tenant'] ),
		esc_html( '' === trim( $text ) ? sohbet_link_text() : $text )
	);
}

/**
 * Returns what the button says by default.
 *
 * @return string
 */
function sohbet_link_text() {
	return __( 'Chat with us', 'sohbet' );
}
