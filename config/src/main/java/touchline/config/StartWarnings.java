package touchline.config;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** What is allowed, but should not stand in a log unsaid. Any thread. */
public final class StartWarnings {
    private StartWarnings() {}

    /** One sentence for each doubtful setting; never a secret. */
    public static List<String> of(ServerConfig config) {
        List<String> warnings = new ArrayList<>();
        if (!isLoopback(config.api().host()) && config.tls().cert().isEmpty()) {
            warnings.add(
                    "api.host is %s without TLS: tokens cross the network in clear text (set tls.cert and tls.key, or put a TLS proxy in front and bind api.host to loopback)"
                            .formatted(config.api().host()));
        }
        tellLoopback(
                "public.playback-url",
                config.playback().host(),
                config.publicUrls().playbackUrl(),
                warnings);
        tellLoopback(
                "public.rtmp-url", config.rtmp().host(), config.publicUrls().rtmpUrl(), warnings);
        return List.copyOf(warnings);
    }

    private static void tellLoopback(
            String key, String listening, URI told, List<String> warnings) {
        if (!isLoopback(listening) && isLoopback(told.getHost())) {
            warnings.add(
                    "%s is %s: clients on other hosts cannot use it (set %s to this host's outer address)"
                            .formatted(key, told, key));
        }
    }

    private static boolean isLoopback(String host) {
        return host.startsWith("127.")
                || host.equals("::1")
                || host.equals("[::1]")
                || host.equals("localhost");
    }
}
