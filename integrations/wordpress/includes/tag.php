<?php
/**
 * The script tag on the site's pages.
 *
 * @package Sohbet
 */

defined( 'ABSPATH' ) || exit;

/**
 * Registers the plugin's own scripts.
 */
function sohbet_register_assets() {
	wp_register_script( 'sohbet-consent', plugins_url( 'assets/consent.js', SOHBET_FILE ), array(), SOHBET_VERSION, true );
	wp_register_script( 'sohbet-chat-link', plugins_url( 'assets/chat-link.js', SOHBET_FILE ), array(), SOHBET_VERSION, true );
}

/**
 * Puts the tag on the page, or the script that waits for consent.
 */
function sohbet_enqueue_tag() {
	if ( ! sohbet_is_shown() ) {
		return;
	}
	$settings = sohbet_settings();
	$handle   = 'sohbet';
	if ( '' === $settings['consent'] ) {
		// phpcs:ignore WordPress.WP.EnqueuedResourceParameters.MissingVersion -- The server sets how long it is cached.
		wp_enqueue_script( 'sohbet', $settings['address'] . '/widget.js', array(), null, true );
	} else {
		$handle = 'sohbet-consent';
		$tag    = array(
			'src'        => $settings['address'] . '/widget.js',
			'attributes' => sohbet_attributes(),
			'consent'    => $settings['consent'],
		);
		wp_enqueue_script( 'sohbet-consent' );
		wp_add_inline_script( 'sohbet-consent', 'window.sohbetTag=' . wp_json_encode( $tag, JSON_HEX_TAG ) . ';', 'before' );
	}
	if ( '1' === $settings['identity'] ) {
		wp_add_inline_script( $handle, sohbet_identity_script(), 'before' );
	}
}

/**
 * Adds the attributes of the settings to the tag that WordPress prints.
 *
 * @param string $tag    The tag, with inline scripts before and after it.
 * @param string $handle The name of the script.
 * @return string
 */
function sohbet_add_attributes( $tag, $handle ) {
	if ( 'sohbet' !== $handle ) {
		return $tag;
	}
	$attributes = ' async';
	foreach ( sohbet_attributes() as $name => $value ) {
		$attributes .= sprintf( ' %s="%s"', $name, esc_attr( $value ) );
	}
	// Inline scripts have no address, so the first tag with one is the widget's.
	return preg_replace( '/<script(?=[^>]*\ssrc=)/', '<script' . $attributes, $tag, 1 );
}

/**
 * Returns the attributes that the widget reads, by name.
 *
 * @return array
 */
function sohbet_attributes() {
	$settings   = sohbet_settings();
	$attributes = array(
		'data-tenant'   => $settings['tenant'],
		'data-theme'    => $settings['theme'],
		'data-position' => $settings['position'],
	);
	$language   = substr( determine_locale(), 0, 2 );
	if ( 'page' === $settings['locale'] && in_array( $language, array( 'tr', 'en', 'de', 'ar' ), true ) ) {
		$attributes['data-locale'] = $language;
	}
	return $attributes;
}

/**
 * Whether the chat belongs on this page.
 *
 * @return bool
 */
function sohbet_is_shown() {
	if ( ! sohbet_is_set_up() || is_embed() || is_customize_preview() ) {
		return false;
	}
	$settings = sohbet_settings();
	$is_shown = 'all' === $settings['pages']
		|| sohbet_is_listed( sohbet_path(), $settings['paths'] ) === ( 'only' === $settings['pages'] );
	/**
	 * Filters whether the chat is on this page.
	 *
	 * @param bool $is_shown What the settings say.
	 */
	return (bool) apply_filters( 'sohbet_is_shown', $is_shown );
}

/**
 * Returns the path that the visitor asked for, without the folder of the installation.
 *
 * @return string
 */
function sohbet_path() {
	// phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- Only compared; sanitizing would change the path.
	$path = (string) wp_parse_url( wp_unslash( $_SERVER['REQUEST_URI'] ?? '/' ), PHP_URL_PATH );
	$home = untrailingslashit( (string) wp_parse_url( home_url(), PHP_URL_PATH ) );
	if ( '' !== $home && 0 === strpos( $path . '/', $home . '/' ) ) {
		$path = substr( $path, strlen( $home ) );
	}
	return '/' . ltrim( rawurldecode( $path ), '/' );
}

/**
 * Whether a path is in a list; `*` stands for anything, a slash at the end for nothing.
 *
 * @param string $path  The path of the page.
 * @param string $paths One path a line.
 * @return bool
 */
function sohbet_is_listed( $path, $paths ) {
	foreach ( preg_split( '/\R/', $paths ) as $line ) {
		$wanted  = '/' . trim( rawurldecode( trim( $line ) ), '/' );
		$pattern = str_replace( '\*', '.*', preg_quote( $wanted, '~' ) );
		if ( '' !== trim( $line ) && preg_match( "~^$pattern$~Dsu", '/' . trim( $path, '/' ) ) ) {
			return true;
		}
	}
	return false;
}
