/** Codec configuration records and bit streams, parsed and written without natives. */
@NullMarked
package touchline.media.codec;

import org.jspecify.annotations.NullMarked;
