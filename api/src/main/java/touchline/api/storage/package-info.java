/** Stores of the clients' that outputs of transcoding are put into. */
@NullMarked
package touchline.api.storage;

import org.jspecify.annotations.NullMarked;
