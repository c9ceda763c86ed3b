/** Action Message Format 0 and 3. */
@NullMarked
package touchline.ingest.amf;

import org.jspecify.annotations.NullMarked;
