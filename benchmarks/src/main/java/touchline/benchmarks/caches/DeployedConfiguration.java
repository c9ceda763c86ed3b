package touchline.benchmarks.caches;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The caches' configurations of the folder {@code deploy} for a server on this host: addresses,
 * names, ports and folders are changed, and TLS is switched off. Nothing else. Stateless.
 */
final class DeployedConfiguration {
    private static final String PLAYBACK = "8081";

    private DeployedConfiguration() {}

    /**
     * The whole configuration of Varnish.
     *
     * @param playback port of the server
     */
    static String varnish(int playback) throws IOException {
        return varnish(deployed("varnish/touchline.vcl"), playback);
    }

    static String varnish(String deployed, int playback) {
        return replaceAll(deployed, "\"" + PLAYBACK + "\"", "\"" + playback + "\"");
    }

    /**
     * A main configuration as Debian's, which includes the deployed servers.
     *
     * @param playback port of the server
     * @param port that nginx opens
     * @param folder for its files
     */
    static String nginx(int playback, int port, Path folder) throws IOException {
        String paths =
                """
                client_body_temp_path %1$s/body;
                fastcgi_temp_path %1$s/fastcgi;
                uwsgi_temp_path %1$s/uwsgi;
                scgi_temp_path %1$s/scgi;
                proxy_temp_path %1$s/proxy;
                """
                        .formatted(folder);
        return """
        daemon off;
        worker_processes auto;
        worker_rlimit_nofile 20000;
        pid %1$s/nginx.pid;
        error_log %1$s/error.log warn;
        events { worker_connections 4096; }
        http {
        access_log off;
        sendfile on;
        tcp_nopush on;
        %2$s
        %3$s
        }
        """
                .formatted(
                        folder,
                        paths,
                        nginx(deployed("nginx/touchline.conf"), playback, port, folder));
    }

    static String nginx(String deployed, int playback, int port, Path folder) {
        String text =
                replaceAll(deployed, "listen 443 ssl http2;", "listen 127.0.0.1:" + port + ";");
        text = replaceAll(text, "127.0.0.1:" + PLAYBACK, "127.0.0.1:" + playback);
        text = replaceAll(text, "server_name video.example.org;", "server_name 127.0.0.1;");
        text = replaceAll(text, "/var/cache/touchline", folder.resolve("cache").toString());
        return text.replaceAll("(?m)^ *ssl_certificate.*\\R", "");
    }

    /** A configuration without what is replaced would be another one than expected. */
    private static String replaceAll(String text, String what, String replacement) {
        if (!text.contains(what)) {
            throw new IllegalArgumentException("the configuration has no " + what);
        }
        return text.replace(what, replacement);
    }

    private static String deployed(String file) throws IOException {
        return Files.readString(
                Path.of(System.getProperty("touchline.home", "."), "deploy").resolve(file));
    }
}
