package touchline.config;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Warnings about settings that are allowed but risky. Any thread. */
public final class StartWarnings {
    private StartWarnings() {}

    /** Returns one sentence for each risky setting; never contains a secret. */
    public static List<String> of(ServerConfig config) {
        List<String> warnings = new ArrayList<>();
        if (!isLoopback(config.api().host()) && !config.tls().isEnabled()) {
            warnings.add(
                    "api.host is %s without TLS: tokens cross the network in clear text (set tls.cert and tls.key, or put a TLS proxy in front and bind api.host to loopback)"
                            .formatted(config.api().host()));
        }
        warnIfLoopback(
                "public.playback-url",
                config.playback().host(),
                config.publicUrls().playbackUrl(),
                warnings);
        warnIfLoopback(
                "public.rtmp-url", config.rtmp().host(), config.publicUrls().rtmpUrl(), warnings);
        return List.copyOf(warnings);
    }

    private static void warnIfLoopback(
            String key, String listening, URI published, List<String> warnings) {
        if (!isLoopback(listening) && isLoopback(published.getHost())) {
            warnings.add(
                    "%s is %s: clients on other hosts cannot use it (set %s to this host's outer address)"
                            .formatted(key, published, key));
        }
    }

    private static boolean isLoopback(String host) {
        return host.startsWith("127.")
                || host.equals("::1")
                || host.equals("[::1]")
                || host.equals("localhost");
    }
}
