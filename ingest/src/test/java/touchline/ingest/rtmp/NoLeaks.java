package touchline.ingest.rtmp;

import io.netty.util.LeakPresenceDetector;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test that leaves a Netty buffer unreleased. */
final class NoLeaks implements AfterEachCallback {
    @Override
    public void afterEach(ExtensionContext context) {
        LeakPresenceDetector.check();
    }
}
