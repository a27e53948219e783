<?php
/**
 * The block and the shortcode: the chat's page in a frame, or a button that opens the chat.
 *
 * @package Sohbet
 */

defined( 'ABSPATH' ) || exit;

const SOHBET_PAGE_HEIGHT     = 600;
const SOHBET_MIN_PAGE_HEIGHT = 300;
const SOHBET_MAX_PAGE_HEIGHT = 1500;

/**
 * Registers the block `sohbet/chat` and the shortcode `[sohbet_chat]`.
 */
function sohbet_register_chat_page() {
	$folder = dirname( SOHBET_FILE ) . '/block';
	wp_register_script(
		'sohbet-block-editor',
		plugins_url( 'block/editor.js', SOHBET_FILE ),
		array( 'wp-blocks', 'wp-element', 'wp-block-editor', 'wp-components' ),
		SOHBET_VERSION,
		true
	);
	$words = array(
		'text'        => sohbet_link_text(),
		'placeholder' => __( 'What the button says', 'sohbet' ),
		'display'     => __( 'Show as', 'sohbet' ),
		'page'        => __( 'Chat in the page', 'sohbet' ),
		'button'      => __( 'Button that opens the chat', 'sohbet' ),
		'height'      => __( 'Height in pixels', 'sohbet' ),
		'hint'        => __( 'The chat appears here. Its site must list this address in its allowed origins.', 'sohbet' ),
		'minHeight'   => SOHBET_MIN_PAGE_HEIGHT,
		'maxHeight'   => SOHBET_MAX_PAGE_HEIGHT,
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
	$attributes['text'] = wp_strip_all_tags( (string) ( $attributes['text'] ?? '' ) );
	$chat               = sohbet_render_chat( $attributes );
	return '' === $chat ? '' : '<div ' . get_block_wrapper_attributes() . '>' . $chat . '</div>';
}

/**
 * Renders the shortcode `[sohbet_chat height="…"]` or `[sohbet_chat display="button" text="…"]`.
 *
 * @param array|string $attributes Attributes of the shortcode; a text where it has none.
 * @return string
 */
function sohbet_render_shortcode( $attributes ) {
	$defaults = array(
		'display' => 'page',
		'height'  => SOHBET_PAGE_HEIGHT,
		'text'    => '',
	);
	return sohbet_render_chat( shortcode_atts( $defaults, $attributes, 'sohbet_chat' ) );
}

/**
 * Renders the page or the button, or '' while the plugin is not set up.
 *
 * @param array $attributes `display`, `height` and `text`.
 * @return string
 */
function sohbet_render_chat( $attributes ) {
	if ( ! sohbet_is_set_up() ) {
		return '';
	}
	return 'button' === ( $attributes['display'] ?? 'page' )
		? sohbet_chat_link( (string) ( $attributes['text'] ?? '' ) )
		: sohbet_chat_frame( (int) ( $attributes['height'] ?? SOHBET_PAGE_HEIGHT ) );
}

/**
 * Returns the chat's page in a frame.
 *
 * @param int $height Its height in pixels, which is kept within the limits.
 * @return string
 */
function sohbet_chat_frame( $height ) {
	return sprintf(
		'<iframe class="sohbet-chat-page" src="%s" title="%s" loading="lazy" style="display:block;width:100%%;height:%dpx;border:0"></iframe>',
		esc_url( sohbet_page_address() ),
		esc_attr( sohbet_link_text() ),
		min( max( $height, SOHBET_MIN_PAGE_HEIGHT ), SOHBET_MAX_PAGE_HEIGHT )
	);
}

/**
 * Returns the address of the chat's page, in the page's language where the settings want that.
 *
 * @return string
 */
function sohbet_page_address() {
	$settings = sohbet_settings();
	$address  = $settings['address'] . '/chat/' . $settings['tenant'];
	$locale   = sohbet_attributes()['data-locale'] ?? '';
	return '' === $locale ? $address : $address . '?locale=' . $locale;
}

/**
 * Returns the button, which leads to the chat's page where the widget is missing.
 *
 * @param string $text What it says; '' for the default.
 * @return string
 */
function sohbet_chat_link( $text ) {
	wp_enqueue_script( 'sohbet-chat-link' );
	return sprintf(
		'<a class="sohbet-chat wp-block-button__link wp-element-button" href="%s">%s</a>',
		esc_url( sohbet_page_address() ),
		esc_html( '' === trim( $text ) ? sohbet_link_text() : $text )
	);
}

/**
 * Returns what the button says by default, and the name of the frame.
 *
 * @return string
 */
function sohbet_link_text() {
	return __( 'Chat with us', 'sohbet' );
}
