package touchline.packager.edge;

import io.netty.handler.ssl.SslHandler;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * HTTPS to other nodes. All nodes show the certificate of the public address of playback, so that
 * is the name they must prove, at whatever address they are reached. Any thread.
 *
 * @param context checks certificates; asked for each connection
 * @param publicName the host of {@code public.playback-url}
 */
public record UpstreamTls(Supplier<SSLContext> context, String publicName) {
    private static final int HTTPS = 443;

    SslHandler handler() {
        SSLEngine engine = context.get().createSSLEngine(publicName, HTTPS);
        engine.setUseClientMode(true);
        return new SslHandler(engine);
    }
}
