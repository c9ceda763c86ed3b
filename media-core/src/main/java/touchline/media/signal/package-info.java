/**
 * Watches the signal of live sessions: levels and loudness of decoded audio, black and frozen video
 * by key frames, and the faults in them.
 */
@NullMarked
package touchline.media.signal;

import org.jspecify.annotations.NullMarked;
