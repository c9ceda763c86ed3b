package touchline.api.events;

/** Port: which endpoints this server sends to. Does not block; any thread. */
@FunctionalInterface
public interface EndpointDuty {
    /** Of the only server of a database. */
    EndpointDuty ALL = _ -> true;

    boolean isOurs(String endpoint);
}
