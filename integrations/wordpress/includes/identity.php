<?php
/**
 * The signed identity of people who are signed in to WordPress.
 *
 * @package Sohbet
 */

defined( 'ABSPATH' ) || exit;

/**
 * A page may stay open for a working day before its visitor writes.
 */
const SOHBET_IDENTITY_TTL_SECONDS = 12 * HOUR_IN_SECONDS;

/**
 * Tells the next page in this browser, also a cached one, that somebody has signed out.
 */
const SOHBET_SIGN_OUT_COOKIE = 'sohbet_signed_out';

/**
 * Returns a JWT (HS256) that tells who is signed in, or '' for a stranger or without a secret.
 *
 * @return string
 */
function sohbet_identity_token() {
	$secret = get_option( SOHBET_SECRET, '' );
	if ( ! is_user_logged_in() || ! is_string( $secret ) || '' === $secret ) {
		return '';
	}
	$user   = wp_get_current_user();
	$claims = array(
		'sub'   => (string) $user->ID,
		'name'  => $user->display_name,
		'email' => $user->user_email,
	);
	/**
	 * Filters what the site signs about a person, for example to add a `phone`.
	 *
	 * @param array   $claims `sub`, `name` and `email`; an empty claim is left out.
	 * @param WP_User $user   Who is signed in.
	 */
	$claims        = array_filter( (array) apply_filters( 'sohbet_identity_claims', $claims, $user ) );
	$claims['iat'] = time();
	$claims['exp'] = $claims['iat'] + SOHBET_IDENTITY_TTL_SECONDS;
	return sohbet_sign( $claims, $secret );
}

/**
 * Signs claims as a compact JWS (RFC 7515).
 *
 * @param array  $claims The payload.
 * @param string $secret The tenant's identity secret.
 * @return string
 */
function sohbet_sign( $claims, $secret ) {
	$header = array(
		'alg' => 'HS256',
		'typ' => 'JWT',
	);
	$signed = sohbet_base64url( wp_json_encode( $header ) ) . '.' . sohbet_base64url( wp_json_encode( $claims ) );
	return $signed . '.' . sohbet_base64url( hash_hmac( 'sha256', $signed, $secret, true ) );
}

/**
 * Encodes bytes for a JWT.
 *
 * @param string $bytes The bytes.
 * @return string
 */
function sohbet_base64url( $bytes ) {
	// phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- RFC 7515.
	return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
}

/**
 * Leaves a note for the next page, which forgets the conversation of whoever signed out.
 */
function sohbet_mark_sign_out() {
	if ( '1' === sohbet_settings()['identity'] && ! headers_sent() ) {
		setcookie(
			SOHBET_SIGN_OUT_COOKIE,
			'1',
			array(
				'path'     => '/',
				'secure'   => is_ssl(),
				'samesite' => 'Lax',
			)
		);
	}
}

/**
 * Returns the lines before the tag: forget whoever signed out, then present whoever is signed in.
 *
 * @return string JavaScript.
 */
function sohbet_identity_script() {
	$cookie = SOHBET_SIGN_OUT_COOKIE;
	$lines  = "window.Sohbet=window.Sohbet||[];if(/(^|; )$cookie=/.test(document.cookie)){"
		. "Sohbet.push(['reset']);document.cookie='$cookie=; Max-Age=0; path=/'}";
	$token  = sohbet_identity_token();
	if ( '' !== $token ) {
		$lines .= "Sohbet.push(['identify'," . wp_json_encode( array( 'token' => $token ) ) . ']);';
	}
	return $lines;
}
