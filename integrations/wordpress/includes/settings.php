<?php
/**
 * The settings: what is stored, its defaults, and what is accepted.
 *
 * @package Sohbet
 */

defined( 'ABSPATH' ) || exit;

const SOHBET_SETTINGS = 'sohbet_settings';
const SOHBET_SECRET   = 'sohbet_identity_secret';

/**
 * Categories of the WP Consent API that the chat may wait for; '' does not wait.
 */
const SOHBET_CONSENTS = array( '', 'functional', 'preferences', 'statistics', 'marketing' );

/**
 * Returns the stored settings, with the default of each that is missing.
 *
 * @return array
 */
function sohbet_settings() {
	$defaults = array(
		'tenant'   => '',
		'address'  => '',
		'theme'    => 'auto',
		'position' => 'right',
		'locale'   => 'site',
		'pages'    => 'all',
		'paths'    => '',
		'consent'  => '',
		'identity' => '',
	);
	$stored   = get_option( SOHBET_SETTINGS, array() );
	return array_merge( $defaults, is_array( $stored ) ? array_intersect_key( $stored, $defaults ) : array() );
}

/**
 * Checks what the form sent.
 *
 * @param array $given Fields of the form, unslashed.
 * @return array The settings to store, and the problems as sentences by field.
 */
function sohbet_parse_settings( $given ) {
	$settings = array(
		'tenant'   => sanitize_text_field( $given['tenant'] ?? '' ),
		'address'  => untrailingslashit( trim( sanitize_text_field( $given['address'] ?? '' ) ) ),
		'theme'    => sohbet_one_of( $given['theme'] ?? '', array( 'auto', 'light', 'dark' ) ),
		'position' => sohbet_one_of( $given['position'] ?? '', array( 'right', 'left' ) ),
		'locale'   => sohbet_one_of( $given['locale'] ?? '', array( 'site', 'page' ) ),
		'pages'    => sohbet_one_of( $given['pages'] ?? '', array( 'all', 'only', 'except' ) ),
		'paths'    => trim( sanitize_textarea_field( $given['paths'] ?? '' ) ),
		'consent'  => sohbet_one_of( $given['consent'] ?? '', SOHBET_CONSENTS ),
		'identity' => empty( $given['identity'] ) ? '' : '1',
	);
	$problems = array();
	if ( ! preg_match( '/^[a-z0-9-]{3,40}$/D', $settings['tenant'] ) ) {
		$problems['tenant'] = __( 'The site id has 3 to 40 lower-case letters, digits and hyphens. Copy it from the panel.', 'sohbet' );
	}
	if ( ! sohbet_is_address( $settings['address'] ) ) {
		$problems['address'] = __( 'The address begins with https:// and names the host that runs Sohbet, such as https://chat.example.', 'sohbet' );
	}
	return array( $settings, $problems );
}

/**
 * Whether a text is the address of a host, without a query, a fragment or a user.
 *
 * @param string $address The text.
 * @return bool
 */
function sohbet_is_address( $address ) {
	$parts = wp_parse_url( $address );
	return is_array( $parts )
		&& in_array( $parts['scheme'] ?? '', array( 'https', 'http' ), true )
		&& ! empty( $parts['host'] )
		&& ! isset( $parts['user'] ) && ! isset( $parts['query'] ) && ! isset( $parts['fragment'] )
		&& esc_url_raw( $address, array( 'https', 'http' ) ) === $address;
}

/**
 * Returns the value where it is one of the choices, else the first choice.
 *
 * @param mixed $value   What was sent.
 * @param array $choices The values that are accepted.
 * @return string
 */
function sohbet_one_of( $value, $choices ) {
	return in_array( $value, $choices, true ) ? $value : $choices[0];
}

/**
 * Whether the settings name a site, so that there is a chat to show.
 *
 * @return bool
 */
function sohbet_is_set_up() {
	$settings = sohbet_settings();
	return '' !== $settings['tenant'] && '' !== $settings['address'];
}
