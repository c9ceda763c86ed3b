package touchline.api.http;

import io.helidon.common.socket.SocketOptions;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import touchline.api.certificate.ChallengePort;

/**
 * Answers HTTP-01 challenges (RFC 8555, 8.3), and nothing else. It listens only while a challenge
 * runs. One thread opens and closes it.
 */
public final class ChallengeServer implements ChallengePort {
    private static final String PATH = "/.well-known/acme-challenge/";
    private static final int MAX_LINE_BYTES = 2 * 1024;
    private static final int MAX_HEAD_BYTES = 8 * 1024;
    private static final int MAX_CONNECTIONS = 64;
    private static final Duration SILENCE = Duration.ofSeconds(5);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

    private final InetSocketAddress address;

    /**
     * @param host to listen on
     * @param port from 1 on
     */
    public ChallengeServer(String host, int port) {
        this.address = new InetSocketAddress(host, port);
    }

    @Override
    public AutoCloseable open(Function<String, Optional<String>> answers) throws IOException {
        WebServer server =
                WebServer.builder()
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .bindAddress(address)
                        .maxTcpConnections(MAX_CONNECTIONS)
                        .maxPayloadSize(0)
                        .idleConnectionTimeout(SILENCE)
                        .shutdownGracePeriod(STOP_TIMEOUT)
                        .connectionOptions(SocketOptions.builder().readTimeout(SILENCE).build())
                        .addProtocol(
                                Http1Config.builder()
                                        .maxPrologueLength(MAX_LINE_BYTES)
                                        .maxHeadersSize(MAX_HEAD_BYTES)
                                        .receiveLog(false)
                                        .sendLog(false)
                                        .build())
                        .routing(routing(answers))
                        .build();
        if (!WebServerStart.start(server, address)) {
            throw new IOException(address + " cannot be bound");
        }
        return server::stop;
    }

    private static HttpRouting.Builder routing(Function<String, Optional<String>> answers) {
        return HttpRouting.builder()
                .get(
                        PATH + "{token}",
                        (request, response) -> {
                            Optional<String> answer =
                                    answers.apply(request.path().pathParameters().get("token"));
                            response.header(HeaderNames.CONTENT_TYPE, "application/octet-stream");
                            response.status(
                                            answer.isPresent()
                                                    ? Status.OK_200
                                                    : Status.NOT_FOUND_404)
                                    .send(answer.orElse(""));
                        });
    }
}
