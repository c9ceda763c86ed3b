/**
 * Compares the audio of two publishers that send the same programme from clocks of their own: the
 * port of {@link touchline.media.hub.SourceAlignment}.
 */
@NullMarked
package touchline.media.alignment;

import org.jspecify.annotations.NullMarked;
