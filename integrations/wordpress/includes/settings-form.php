<?php
/**
 * What happens when the settings are sent: right, nonce, check, store.
 *
 * @package Sohbet
 */

defined( 'ABSPATH' ) || exit;

const SOHBET_NONCE = 'sohbet_save_settings';

/**
 * Stores the settings that were sent, or keeps them and their problems for the form.
 */
function sohbet_receive_settings() {
	global $sohbet_form;
	$sohbet_form = array( sohbet_settings(), array() );
	if ( 'POST' !== ( $_SERVER['REQUEST_METHOD'] ?? '' ) ) {
		return;
	}
	if ( ! current_user_can( 'manage_options' ) ) {
		wp_die( esc_html__( 'Sorry, you are not allowed to access this page.' ), 403 ); // phpcs:ignore WordPress.WP.I18n.MissingArgDomain -- WordPress's own words.
	}
	check_admin_referer( SOHBET_NONCE );
	// phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized -- sohbet_parse_settings() does, by field.
	$given       = array_filter( wp_unslash( (array) ( $_POST['sohbet'] ?? array() ) ), 'is_string' );
	$sohbet_form = sohbet_parse_settings( $given );
	if ( array() !== $sohbet_form[1] ) {
		return;
	}
	update_option( SOHBET_SETTINGS, $sohbet_form[0] );
	sohbet_store_secret( trim( $given['secret'] ?? '' ), ! empty( $given['forget_secret'] ) );
	wp_safe_redirect( add_query_arg( 'sohbet_saved', '1', sohbet_settings_url() ) );
	exit;
}

/**
 * Stores a new identity secret, keeps the stored one, or forgets it.
 *
 * @param string $secret      What was typed; '' keeps what is stored.
 * @param bool   $is_forgotten Whether to delete the stored one.
 */
function sohbet_store_secret( $secret, $is_forgotten ) {
	if ( '' !== $secret ) {
		// Only pages for people who are signed in need it, so not every page loads it.
		update_option( SOHBET_SECRET, $secret, false );
	} elseif ( $is_forgotten ) {
		delete_option( SOHBET_SECRET );
	}
}

/**
 * Asks the address whether it knows the site.
 *
 * @param array $settings The stored settings.
 * @return array Whether it does, and a sentence.
 */
function sohbet_check_connection( $settings ) {
	$url    = $settings['address'] . '/api/v1/widget/' . rawurlencode( $settings['tenant'] ) . '/config';
	$answer = wp_remote_get( $url, array( 'timeout' => 5 ) ); // phpcs:ignore WordPress.WP.AlternativeFunctions -- Only on this page.
	if ( is_wp_error( $answer ) ) {
		/* translators: 1: address of the server, 2: reason */
		return array( false, sprintf( __( '%1$s does not answer: %2$s', 'sohbet' ), $settings['address'], $answer->get_error_message() ) );
	}
	$status = wp_remote_retrieve_response_code( $answer );
	$config = json_decode( wp_remote_retrieve_body( $answer ), true );
	if ( 404 === $status || false === ( $config['active'] ?? true ) ) {
		/* translators: 1: address of the server, 2: id of the site */
		return array( false, sprintf( __( '%1$s has no site with the id %2$s, or it is switched off.', 'sohbet' ), $settings['address'], $settings['tenant'] ) );
	}
	if ( 200 !== $status || ! is_array( $config ) ) {
		/* translators: 1: address of the server, 2: HTTP status */
		return array( false, sprintf( __( '%1$s answers with status %2$d. Is it the address of Sohbet?', 'sohbet' ), $settings['address'], $status ) );
	}
	/* translators: %s: id of the site */
	return array( true, sprintf( __( 'Connected with the site %s.', 'sohbet' ), $settings['tenant'] ) );
}
