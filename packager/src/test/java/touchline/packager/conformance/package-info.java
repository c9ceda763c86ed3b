/**
 * Judges what the packager publishes by RFC 8216 and draft-pantos-hls-rfc8216bis-20: playlists one
 * by one, all playlists of a session in a row, delta updates, and the media behind them.
 */
@NullMarked
package touchline.packager.conformance;

import org.jspecify.annotations.NullMarked;
