package touchline.api.http;

import io.helidon.http.Headers;
import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.encoding.ContentEncodingContextConfig;

/**
 * Passes compressed bodies on as they are sent, so that {@link ApiRequest} refuses them with a
 * reason. The web server itself would answer 400 without one. Replies are not encoded. Any thread.
 */
final class UndecodedBodies implements ContentEncodingContext {
    private final ContentEncodingContextConfig config =
            ContentEncodingContextConfig.builder()
                    .contentEncodingsDiscoverServices(false)
                    .buildPrototype();

    @Override
    public boolean contentEncodingEnabled() {
        return false;
    }

    @Override
    public boolean contentDecodingEnabled() {
        return true;
    }

    @Override
    public boolean contentEncodingSupported(String encodingId) {
        return false;
    }

    @Override
    public boolean contentDecodingSupported(String encodingId) {
        return true;
    }

    @Override
    public ContentEncoder encoder(String encodingId) {
        return ContentEncoder.NO_OP;
    }

    @Override
    public ContentDecoder decoder(String encodingId) {
        return ContentDecoder.NO_OP;
    }

    @Override
    public ContentEncoder encoder(Headers headers) {
        return ContentEncoder.NO_OP;
    }

    @Override
    public ContentEncodingContextConfig prototype() {
        return config;
    }
}
