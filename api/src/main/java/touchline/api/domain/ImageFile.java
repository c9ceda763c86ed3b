package touchline.api.domain;

import java.util.Arrays;

/**
 * The bytes of an image, as the server has encoded them: a PNG if pixels are transparent, otherwise
 * a JPEG. Nothing writes to the bytes.
 *
 * @param bytes at most {@link Image#MAX_STORED_BYTES}
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once
public record ImageFile(byte[] bytes) {
    private static final String PNG = "image/png";
    private static final String JPEG = "image/jpeg";

    /** Source: ISO/IEC 15948, 5.2. */
    private static final byte[] PNG_SIGNATURE = {
        (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'
    };

    /** Its type for {@code Content-Type}. The bytes are the server's own: they need no check. */
    public String mediaType() {
        byte[] signature = PNG_SIGNATURE;
        boolean isPng =
                bytes.length >= signature.length
                        && Arrays.equals(
                                bytes, 0, signature.length, signature, 0, signature.length);
        return isPng ? PNG : JPEG;
    }
}
